import { type MantineColorScheme, Stack, Switch, Text, useMantineColorScheme } from '@mantine/core'
import { type Density, useDensity, useSingleKeys } from '../components/frame/preferences.ts'
import { ViewSwitch } from '../components/view-switch.tsx'

const themes: readonly { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const densities: readonly { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
]

/** Chooses how the product looks and which keys it takes. Each browser keeps its own choice. */
export function Preferences() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  const [areSingleKeysOn, setSingleKeys] = useSingleKeys()
  return (
    <Stack gap="xs" p="xs">
      <div>
        <Text size="xs" c="dimmed" mb={4} aria-hidden>
          Theme
        </Text>
        <ViewSwitch label="Theme" value={colorScheme} options={themes} onChange={setColorScheme} />
      </div>
      <div>
        <Text size="xs" c="dimmed" mb={4} aria-hidden>
          Density
        </Text>
        <ViewSwitch label="Density" value={density} options={densities} onChange={setDensity} />
      </div>
      <Switch
        size="xs"
        label="Single-key shortcuts"
        checked={areSingleKeysOn}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
    </Stack>
  )
}
