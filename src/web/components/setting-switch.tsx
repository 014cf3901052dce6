import { Switch, Text } from '@mantine/core'
import type { CSSProperties } from 'react'
import { Term } from './terms/term.tsx'

type SettingSwitchProps = {
  label: string
  description?: string
  isOn: boolean
  isDisabled?: boolean
  /** It is not turned meanwhile, and keeps the focus of the keyboard. */
  isSaving: boolean
  onChange: (isOn: boolean) => void
}

/** Who may not change a setting still sees whether it is on. */
const onButDisabled = { '--switch-disabled-color': 'var(--mantine-primary-color-5)' } as CSSProperties

/** Shows one setting that is on or off. */
export function SettingSwitch({
  label,
  description,
  isOn,
  isDisabled = false,
  isSaving,
  onChange,
}: SettingSwitchProps) {
  return (
    <>
      <Switch
        label={label}
        description={description}
        style={isOn ? onButDisabled : {}}
        checked={isOn}
        disabled={isDisabled}
        aria-busy={isSaving}
        onChange={(event) => (isSaving ? undefined : onChange(event.currentTarget.checked))}
      />
      <Text size="sm" className="printed-only" aria-hidden>
        {label}: {isOn ? 'on' : 'off'}. {description}
      </Text>
    </>
  )
}

/** Stands below the two switches, and says what both have in common. */
export function AutoCreateNote() {
  return (
    <Text size="sm" c="dimmed">
      <Term name="autoCreate">Auto-create</Term> adds records to HubSpot and changes none.
    </Text>
  )
}

/** The names and effects of the two sync settings, the same on every screen. */
export const syncSettingTexts = {
  autoCreateContacts: {
    label: 'Auto-Create Contacts',
    description: 'Creates a contact in HubSpot for a customer who has none.',
  },
  autoCreateCompanies: {
    label: 'Auto-Create Companies',
    description:
      'Creates a company in HubSpot for a domain that has none. Excludes personal email providers.',
  },
} as const
