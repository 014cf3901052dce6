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

/**
 * Whether keys without Command or Control do something. People who speak to their browser, or who hit keys by mistake,
 * turn them off (WCAG 2.1.4).
 */
export function useSingleKeys() {
  const [areOn, setOn] = useLocalStorage<boolean>({
    key: 'single-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
    serialize: (isOn) => (isOn ? 'on' : 'off'),
    deserialize: (text) => text !== 'off',
  })
  return [areOn, setOn] as const
}
