import { Alert, FocusTrap } from '@mantine/core'
import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { createPortal } from 'react-dom'
import { getCurrentUser } from '#contract/account.ts'
import { openOrganization } from '#contract/organization.ts'
import { ApiError, call } from '../client.ts'
import { type SignInStep, stepTitles } from '../components/sign-in/sign-in-step.ts'
import { type PageOwner, pageSession } from '../page-session.ts'
import { isSignedOut } from '../queries/session.ts'
import { FormCard } from '../ui/form-card.tsx'
import { PageSpinner } from '../ui/page-spinner.tsx'
import { problemText } from '../ui/problems/problem-text.ts'
import { TryAgain } from '../ui/problems/try-again.tsx'
import classes from './ended-session.module.css'

const SignInForm = lazy(async () => ({
  default: (await import('../screens/sign-in/sign-in-form.tsx')).SignInForm,
}))

/**
 * Hides the page behind the sign-in once its session has ended. Its owner continues where they were; for another
 * person the page reloads.
 */
export function EndedSession({ reload }: { reload: () => void }) {
  const owner = useSyncExternalStore(pageSession.watch, pageSession.locked)
  if (owner === null) return null
  return createPortal(<SignInAgain owner={owner} reload={reload} />, document.body)
}

type SignInAgainProps = { owner: PageOwner; reload: () => void }

function SignInAgain({ owner, reload }: SignInAgainProps) {
  useHiddenPage()
  const { check, problem } = useOwnerCheck(owner, reload)
  const [step, setStep] = useState<SignInStep>('password')
  // A person who signed in in another tab is signed in here too.
  const onReturn = useEffectEvent(() => void check('elsewhere'))
  useEffect(() => {
    const look = () => onReturn()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  return (
    <div className={classes['cover']} data-session-cover role="dialog" aria-modal aria-label="Sign in again">
      <FormCard
        title={stepTitles[step] ?? 'Your session has ended'}
        subtitle={`Sign in again as ${owner.email} to continue: nothing you typed is lost. For anybody else the page reloads.`}
      >
        {problem === null ? null : (
          <Alert color="red" role="alert">
            {problem}
            <TryAgain mt="xs" display="block" onRetry={() => void check('here')} />
          </Alert>
        )}
        <Suspense fallback={<PageSpinner />}>
          <FocusTrap>
            <div>
              <SignInForm
                step={step}
                onStep={setStep}
                returnTo={window.location.pathname}
                knownEmail={owner.email}
                onSignedIn={() => check('here')}
                isOverPage
              />
            </div>
          </FocusTrap>
        </Suspense>
      </FormCard>
    </div>
  )
}

/** Asks who is signed in. It uses plain `fetch`, because these calls must not wait for the owner themselves. */
function useOwnerCheck(owner: PageOwner, reload: () => void) {
  const [problem, setProblem] = useState<string | null>(null)
  const check = async (signedIn: 'here' | 'elsewhere') => {
    setProblem(null)
    try {
      const user = await call(getCurrentUser, { send: fetch })
      if (user.id !== owner.userId) return reload()
      const isThere = (user.organization?.id ?? null) === owner.organizationId
      if (isThere || (signedIn === 'here' && (await returnTo(owner.organizationId)))) pageSession.goOn()
      else reload()
    } catch (error) {
      if (error instanceof Error && !isSignedOut(error)) setProblem(problemText(error))
    }
  }
  return { check, problem }
}

/** A new session begins in the oldest organization, but the page may belong to another one. */
async function returnTo(organizationId: number | null): Promise<boolean> {
  if (organizationId === null) return false
  try {
    await call(openOrganization, { body: { organizationId: String(organizationId) }, send: fetch })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}

/** Hides the page and everything that floats above it, keeps it out of reach, and returns the focus at the end. */
function useHiddenPage(): void {
  useLayoutEffect(() => {
    const focused = document.activeElement
    // A busy button that learns that it lost the focus is off, and could not get it back.
    const hush = (event: FocusEvent) => {
      if (event.target === focused) event.stopPropagation()
    }
    const losses = ['blur', 'focusout'] as const
    for (const loss of losses) window.addEventListener(loss, hush, true)
    document.documentElement.dataset['sessionEnded'] = ''
    return () => {
      for (const loss of losses) window.removeEventListener(loss, hush, true)
      delete document.documentElement.dataset['sessionEnded']
      if (focused instanceof HTMLElement) focused.focus()
    }
  }, [])
}
