/** A single key of Match Review: its hint there, and what it does in the words of the overview of keys. */
export type ReviewKey = { key: string; hint: string; what: string }

/** Every key of Match Review. `create` counts in the dialog, and `select` in the list. */
export const reviewKeys = {
  next: { key: 'J', hint: 'next', what: 'Next customer' },
  previous: { key: 'K', hint: 'previous', what: 'Previous customer' },
  accept: { key: 'A', hint: 'accept the first', what: 'Accept the first candidate' },
  ignore: { key: 'I', hint: 'ignore', what: 'Ignore the customer' },
  select: { key: 'X', hint: 'select', what: 'Select the customer, in the list' },
  create: {
    key: 'C',
    hint: 'create the company',
    what: 'Create a company, in the dialog where none was found',
  },
} satisfies Record<string, ReviewKey>
