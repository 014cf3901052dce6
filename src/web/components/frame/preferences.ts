import { useLocalStorage } from '@mantine/hooks'
import { useEffect } from 'react'

/** How closely things stand. app.css follows the attribute of the page. */
export type Density = 'comfortable' | 'compact'

/** The density that this browser keeps, and how it is changed. `first-paint.js` reads it before the app does. */
export function useDensity() {
  const [density, setDensity] = useLocalStorage<Density>({
    key: 'density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
    serialize: (chosen) => chosen,
    deserialize: (text) => (text === 'compact' ? 'compact' : 'comfortable'),
  })
  useEffect(() => {
    document.documentElement.dataset['density'] = density
  }, [density])
  return [density, setDensity] as const
}

/** Whether a list shows its table where the screen is so narrow that rows are cards; each list has its own choice. */
export function useTableOnPhone(list: string) {
  return useOnOff(`table-on-phone-${list}`, false)
}

/**
 * Whether keys without Command or Control do something. People who speak to their browser, or who hit keys by mistake,
 * turn them off (WCAG 2.1.4).
 */
export function useSingleKeys() {
  return useOnOff('single-keys', true)
}

/** What this browser keeps switched on or off under a key. */
function useOnOff(key: string, defaultValue: boolean) {
  const [isOn, setOn] = useLocalStorage<boolean>({
    key,
    defaultValue,
    getInitialValueInEffect: false,
    serialize: (on) => (on ? 'on' : 'off'),
    deserialize: (text) => (text === undefined ? defaultValue : text === 'on'),
  })
  return [isOn, setOn] as const
}
