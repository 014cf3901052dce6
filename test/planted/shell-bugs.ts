import type { Bug } from './bug.ts'

/** What the frame around every screen says or leads to wrongly. */
export const shellBugs: readonly Bug[] = [
  {
    name: 'a state line that calls a failed sync good',
    file: 'src/server/api/runs/sync-state.ts',
    text: "if (last.status === 'failed') return 'failed'",
    replacement: '',
    caughtBy: ['src/server/api/runs/sync-state.test.ts', 'says how the last import or push ended'],
  },
  {
    name: 'a search that calls every record with such a beginning the one with this id',
    file: 'src/server/store/lists/find-records.ts',
    text: 't.id = ${text} as is_id',
    replacement: 'true as is_id',
    caughtBy: ['src/server/api/lists/search.test.ts', 'calls no record by the beginning of its id'],
  },
  {
    name: 'a search without an end',
    file: 'src/server/store/lists/find-records.ts',
    text: 'const eachMax = 6',
    replacement: 'const eachMax = 600',
    caughtBy: ['src/server/api/lists/search.test.ts', 'shows a few of many'],
  },
  {
    name: 'single keys that go on after they were turned off',
    file: 'src/web/shell/command/use-keys.ts',
    text: 'if (!areSingleKeysOn || isElsewhere(event))',
    replacement: 'if (isElsewhere(event))',
    caughtBy: ['src/web/shell/preferences.test.tsx', 'single keys can be turned off'],
  },
  {
    name: 'a page that shows the theme of the system until the app is there',
    file: 'src/web/public/first-paint.js',
    text: "theme === 'light' || theme === 'dark' ? theme === 'dark' : isSystemDark()",
    replacement: 'isSystemDark()',
    caughtBy: ['src/web/shell/preferences.test.tsx', 'there before the app'],
  },
  {
    name: 'a focus that stays behind when the screen changes',
    file: 'src/web/shell/use-focus-on-new-screen.ts',
    text: 'target.focus({ preventScroll: true })',
    replacement: 'target.blur()',
    caughtBy: ['src/web/screens/events/events-screen.test.tsx', 'the focus with it'],
  },
  {
    name: 'a way back that forgets the list one came from',
    file: 'src/web/components/list-page/list-address.ts',
    text: '(list === path || lists.includes(list))',
    replacement: 'list === path',
    caughtBy: ['src/web/screens/events/events-screen.test.tsx', 'leads back to the events'],
  },
  {
    name: 'a found invoice that nothing marks',
    file: 'src/web/shell/command/command-menu.tsx',
    text: "kind === 'invoice' ?",
    replacement: "kind === 'invoice' && path === '' ?",
    caughtBy: ['e2e/screens/command-menu.test.ts', 'leads from a pasted id'],
  },
  {
    name: 'keys that a page takes while the command menu opens',
    file: 'src/web/shell/command/use-commands.tsx',
    text: 'if (!isOpen) typed.begin()',
    replacement: 'void isOpen',
    caughtBy: ['e2e/screens/command-menu.test.ts', 'takes what is typed while it opens'],
  },
  {
    name: 'an explained word whose link no Tab reaches',
    file: 'src/web/components/terms/term.tsx',
    text: '    link.current.focus()\n',
    replacement: '    word.current?.focus()\n',
    caughtBy: ['e2e/screens/mrr-analytics.test.ts', 'explains a word to pointer, keyboard and finger'],
  },
  {
    name: 'an explanation that no finger opens',
    file: 'src/web/components/terms/term.tsx',
    text: '      onClick={openDropdown}\n',
    replacement: '',
    caughtBy: ['e2e/screens/mrr-analytics.test.ts', 'explains a word at a touch'],
  },
  {
    name: 'a Try again that takes the keyboard to the start of the page',
    file: 'src/web/ui/try-again.tsx',
    text: '      setTimeout(() => focusFirst(around))\n',
    replacement: '      setTimeout(() => around)\n',
    caughtBy: ['src/web/ui/try-again.test.tsx', 'the part around the button gets its focus'],
  },
]
