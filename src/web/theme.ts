import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const dialog = {
  defaultProps: {
    closeButtonProps: { 'aria-label': 'Close' },
    // The library makes it a <header>, which would count as one more banner of the page.
    attributes: { header: { role: 'presentation' } },
  },
}

/** Components are named and not imported: what the first screen does not show is not to be loaded for it. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: dialog,
    Drawer: dialog,
    // What scrolls can be scrolled by the keyboard alone.
    ScrollArea: { defaultProps: { viewportProps: { tabIndex: 0 } } },
    // A badge shows its whole word, however narrow its column.
    Badge: { styles: { root: { minWidth: 'max-content' }, label: { overflow: 'visible' } } },
  },
})

// The library's is lighter than the button itself, and then white is hard to read on it.
const filledHover = '#0a5a66'

/** Colours of our own, and those of the library that are too faint to read, at a contrast of 4.5 to 1 and more. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--text-positive': '#237032',
    '--text-negative': 'var(--mantine-color-red-9)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-cyan-filled-hover': filledHover,
    '--mantine-color-green-light-color': '#1b5e2a',
    '--mantine-color-red-light-color': '#a61e1e',
    '--mantine-color-orange-light-color': '#96360b',
    '--mantine-color-yellow-light-color': '#7a4a00',
  },
  dark: {
    '--text-positive': 'var(--mantine-color-green-4)',
    '--text-negative': 'var(--mantine-color-red-4)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-cyan-filled-hover': filledHover,
  },
})
