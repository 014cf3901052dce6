import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'

type SearchBoxProps = {
  search: string
  placeholder: string
  /** Says what the search looks at. */
  covers: string
  onSearch: (search: string, history: 'push' | 'replace') => void
}

const pauseMs = 300

/** Searches while a person types, after a short pause. Enter searches at once. */
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
  const send = () => {
    if (wanted === sent) return
    setSent(wanted)
    // Each pause within a word replaces the address, so that Back leads to the list before the search.
    onSearch(wanted, sent === '' || wanted === '' ? 'push' : 'replace')
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
        />
      </form>
    </search>
  )
}
