import { Button, CloseButton } from '@mantine/core'
import { Toast } from 'radix-ui'
import {
  type CSSProperties,
  createContext,
  type FocusEvent,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react'
import { KeyMark } from './key-mark.tsx'
import classes from './toast.module.css'
import { useClearPlace } from './toast-place/use-clear-place.ts'

const durationMs = 5_000
const swipeThresholdPx = 50

type ToastContent = {
  title: string
  description?: string | undefined
  isError?: boolean
  /** A button; `elsewhere` tells a screen reader where the same can be done after the toast is gone. */
  action?: Action | undefined
}
/** `key` is a single key that does the same. */
type Action = { label: string; key?: string; elsewhere: string; onAct: () => void }
type ShowToast = (content: ToastContent) => void

const ToastContext = createContext<ShowToast>(() => {
  throw new Error('no ToastHost above')
})

/** Shows a message, which replaces the one before. */
export function useToast(): ShowToast {
  return useContext(ToastContext)
}

/** Holds the only toast. F8 moves the focus to it. */
export function ToastHost({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ key: number; content: ToastContent; isOpen: boolean } | null>(null)
  const show = useCallback<ShowToast>((content) => {
    setShown((last) => ({ key: (last?.key ?? 0) + 1, content, isOpen: true }))
  }, [])
  const viewport = useRef<HTMLOListElement>(null)
  useClearPlace(viewport, shown?.isOpen === true)
  const before = useRef<HTMLElement | null>(null)
  const noteBefore = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (currentTarget.contains(relatedTarget)) return
    before.current = relatedTarget instanceof HTMLElement ? relatedTarget : null
  }
  const close = (isOpen: boolean) => {
    const hadFocus = viewport.current?.contains(document.activeElement) === true
    setShown((last) => (last === null ? null : { ...last, isOpen }))
    // The toast goes with the focus that F8 gave it. It returns to where it was.
    setTimeout(() => {
      const isLost = document.activeElement === document.body || viewport.current === document.activeElement
      if (!isOpen && hadFocus && isLost && before.current?.isConnected) before.current.focus()
    })
  }
  const color = shown?.content.isError ? 'red' : 'teal'
  const style: CSSProperties & Record<'--toast-color', string> = {
    '--toast-color': `var(--mantine-color-${color}-filled)`,
  }
  return (
    <ToastContext value={show}>
      <Toast.Provider duration={durationMs} swipeThreshold={swipeThresholdPx} swipeDirection="right">
        {children}
        {shown === null ? null : (
          <Toast.Root
            key={shown.key}
            className={classes['toast']}
            style={style}
            type={shown.content.isError ? 'foreground' : 'background'}
            open={shown.isOpen}
            onOpenChange={close}
          >
            <Toast.Title className={classes['title']}>{shown.content.title}</Toast.Title>
            <Toast.Close asChild>
              <CloseButton size="sm" aria-label="Close" />
            </Toast.Close>
            {shown.content.description === undefined ? null : (
              <Toast.Description className={classes['description']}>
                {shown.content.description}
              </Toast.Description>
            )}
            {shown.content.action === undefined ? null : (
              <Toast.Action asChild altText={shown.content.action.elsewhere}>
                <Button
                  size="xs"
                  variant="default"
                  className={classes['action']}
                  rightSection={
                    shown.content.action.key === undefined ? null : (
                      <KeyMark name={shown.content.action.key} />
                    )
                  }
                  onClick={shown.content.action.onAct}
                >
                  {shown.content.action.label}
                </Button>
              </Toast.Action>
            )}
          </Toast.Root>
        )}
        <Toast.Viewport
          ref={viewport}
          className={classes['viewport']}
          hotkey={['F8']}
          onFocusCapture={noteBefore}
        />
      </Toast.Provider>
    </ToastContext>
  )
}
