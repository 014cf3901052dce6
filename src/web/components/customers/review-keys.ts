/** A single key of Match Review: its hint there, and what it does in the words of the overview of keys. */
export type ReviewKey = { key: string; hint: string; what: string }

/** Every key of Match Review. `search`, `choose` and `create` count in the dialog, and `select` in the list. */
export const reviewKeys = {
  next: { key: 'J', hint: 'next', what: 'Next customer' },
  previous: { key: 'K', hint: 'previous', what: 'Previous customer' },
  accept: {
    key: 'A',
    hint: 'accept the first',
    what: 'Accept the first candidate, or open a customer that has none',
  },
  ignore: { key: 'I', hint: 'ignore', what: 'Ignore the customer' },
  select: { key: 'X', hint: 'select', what: 'Select the customer, in the list' },
  search: { key: '/', hint: 'search', what: 'Search a company, in the dialog' },
  choose: {
    key: '1 to 9',
    hint: 'choose a company found',
    what: 'Choose a company that the search found, in the dialog',
  },
  create: {
    key: 'C',
    hint: 'create the company',
    what: 'Create a company, in the dialog; where others were found, name it first',
  },
  undo: { key: 'U', hint: 'undo', what: 'Undo your last decision' },
} satisfies Record<string, ReviewKey>
