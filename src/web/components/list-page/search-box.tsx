import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'

type SearchBoxProps = {
  search: string
  placeholder: string
  /** Says what the search looks at. */
  covers: string
  onSearch: (search: string, history: 'push' | 'replace') => void
}

const pauseMs = 300

/** Searches while a person types, after a short pause. Enter searches at once; Escape clears the field, and then leaves it. */
export function SearchBox({ search, placeholder, covers, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState(search)
  const [shown, setShown] = useState(search)
  const [sent, setSent] = useState(search)
  // Back, forward and links change the search; the field shows it and keeps the focus. A search that this field sent must
  // not replace what has been typed since.
  if (shown !== search) {
    setShown(search)
    if (search !== sent) {
      setTyped(search)
      setSent(search)
    }
  }
  const wanted = typed.trim()
  const send = () => sendText(wanted)
  const sendText = (text: string) => {
    if (text === sent) return
    setSent(text)
    // Each pause within a word replaces the address, so that Back leads to the list before the search.
    onSearch(text, sent === '' || text === '' ? 'push' : 'replace')
  }
  const sendLater = useEffectEvent(send)
  useEffect(() => {
    if (wanted === sent) return undefined
    const pause = setTimeout(() => sendLater(), pauseMs)
    return () => clearTimeout(pause)
  }, [wanted, sent])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <search style={{ flex: '1 1 240px', maxWidth: 420 }}>
      <form noValidate onSubmit={submit}>
        <TextInput
          type="search"
          aria-label={placeholder}
          placeholder={placeholder}
          description={covers}
          inputWrapperOrder={['input', 'description']}
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Inside an unfinished word of Japanese, they belong to its input.
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Escape' && typed !== '') {
              // Some browsers clear the field by themselves, and some leave it as it is.
              event.preventDefault()
              setTyped('')
              sendText('')
              return
            }
            leaveSearch(event, wanted === sent)
            if (event.key === 'ArrowDown') send()
          }}
        />
      </form>
    </search>
  )
}

/**
 * The keys that leave the field: the arrow down goes to the first row, and Escape to the page. `isSent` tells whether the
 * list is asked for this text.
 */
function leaveSearch(event: KeyboardEvent<HTMLInputElement>, isSent: boolean): void {
  const field = event.currentTarget
  if (event.key === 'Escape') {
    event.preventDefault()
    field.blur()
  }
  if (event.key !== 'ArrowDown') return
  event.preventDefault()
  // Rows of an earlier search go when those of this one come.
  if (isSent) firstOf(field)?.focus()
}

function firstOf(field: HTMLElement): HTMLElement | null | undefined {
  const rows = '[data-refuge][aria-busy="false"] :is(tbody > tr, ul > li)'
  return field.closest('main')?.querySelector<HTMLElement>(`${rows} :is(a[aria-label], [data-customer])`)
}
