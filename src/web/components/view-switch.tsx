import { Button, Group } from '@mantine/core'

type ViewSwitchProps<Value extends string> = {
  /** Says what is chosen. */
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** Chooses one of a few views of the same figures. */
export function ViewSwitch<Value extends string>({
  label,
  value,
  options,
  onChange,
}: ViewSwitchProps<Value>) {
  return (
    <Group role="group" aria-label={label} gap={4}>
      {options.map((option) => (
        <Button
          key={option.value}
          size="compact-xs"
          mih={24}
          variant={option.value === value ? 'light' : 'default'}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </Button>
      ))}
    </Group>
  )
}
