import { type CSSVariablesResolver, createTheme, Drawer, Modal, ScrollArea } from '@mantine/core'

const closeButton = { closeButtonProps: { 'aria-label': 'Close' } }

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  cursorType: 'pointer',
  components: {
    Modal: Modal.extend({ defaultProps: closeButton }),
    // What scrolls can be scrolled by the keyboard alone.
    ScrollArea: ScrollArea.extend({ defaultProps: { viewportProps: { tabIndex: 0 } } }),
    Drawer: Drawer.extend({ defaultProps: closeButton }),
  },
})

/** Colours of our own, and those of the library that are too faint to read, at a contrast of 4.5 to 1 and more. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--text-positive': '#237032',
    '--text-negative': 'var(--mantine-color-red-9)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-green-light-color': '#1b5e2a',
    '--mantine-color-red-light-color': '#a61e1e',
    '--mantine-color-orange-light-color': '#96360b',
    '--mantine-color-yellow-light-color': '#7a4a00',
  },
  dark: {
    '--text-positive': 'var(--mantine-color-green-4)',
    '--text-negative': 'var(--mantine-color-red-4)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
  },
})
