import { Kbd, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

type DialogFieldProps = Omit<TextInputProps, 'disabled'> & {
  /** Takes no text now. The focus stays in it. */
  isOff: boolean
  /** Gives the focus back to what had it before the person typed. */
  onLeave: () => void
}

/** A text field in a dialog. Escape leaves the field first, and closes the dialog only when pressed again. */
export function DialogField({ isOff, onLeave, ...field }: DialogFieldProps) {
  const [isFocused, setFocused] = useState(false)
  return (
    <TextInput
      {...field}
      disabled={isOff && !isFocused}
      readOnly={isOff}
      data-mantine-stop-propagation="true"
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // In a search field, the browser would clear what is typed.
        event.preventDefault()
        onLeave()
      }}
      rightSectionWidth={78}
      rightSectionPointerEvents="none"
      rightSection={
        isFocused ? (
          <Text span size="xs" c="dimmed" aria-hidden visibleFrom="sm" className="for-keys">
            <Kbd size="xs">Esc</Kbd> back
          </Text>
        ) : null
      }
    />
  )
}
