import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const dialog = {
  defaultProps: {
    closeButtonProps: { 'aria-label': 'Close' },
    // The library renders it as a <header>, which would count as another banner of the page.
    attributes: { header: { role: 'presentation' } },
  },
}

/** The theme names components and does not import them, so that the first screen loads only what it shows. */
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
    // The keyboard alone can scroll everything that scrolls.
    ScrollArea: { defaultProps: { viewportProps: { tabIndex: 0 } } },
    // Without motion, the library forgets to put the sign of waiting into the middle.
    Button: { styles: { loader: { transform: 'translate(-50%, -50%)' } } },
    // On a phone, tabs stay beside each other, and a long name takes two lines.
    Tabs: { styles: { list: { flexWrap: 'nowrap' }, tab: { whiteSpace: 'normal' } } },
    TabsTab: { defaultProps: { px: { base: 8, xs: 'md' } } },
    // A badge shows its whole word, even in a narrow column.
    Badge: {
      defaultProps: { tt: 'none' },
      styles: { root: { minWidth: 'max-content' }, label: { overflow: 'visible' } },
    },
  },
})

// The library's color is lighter than the button itself, and white on it is hard to read.
const filledHover = '#0a5a66'

/**
 * Our own colors, and replacements for colors of the library that are too faint: texts with 4.5 to 1, the edge of a
 * control with 3 to 1. What is drawn is lighter than a button in dark.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--drawn': 'var(--mantine-color-cyan-9)',
    '--control-edge': '#7b838b',
    '--text-positive': '#237032',
    '--text-negative': 'var(--mantine-color-red-9)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-cyan-filled-hover': filledHover,
    '--mantine-color-green-light-color': '#1b5e2a',
    '--mantine-color-red-light-color': '#a61e1e',
    '--mantine-color-orange-light-color': '#96360b',
    '--mantine-color-yellow-light-color': '#7a4a00',
  },
  dark: {
    '--drawn': 'var(--mantine-color-cyan-5)',
    '--control-edge': '#8f8f8f',
    '--text-positive': 'var(--mantine-color-green-4)',
    '--text-negative': 'var(--mantine-color-red-4)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-cyan-filled-hover': filledHover,
  },
})
