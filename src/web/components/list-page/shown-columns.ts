import type { Column } from './column.ts'

/** In the address, for all columns in the order of the list. */
export const allColumns = 'all'

/** The columns to show: those of the address, or the first ones. Names that the list does not have are left out. */
export function shownColumns<T>(
  columns: readonly Column<T>[],
  first: readonly string[] | undefined,
  wanted: string,
): Column<T>[] {
  if (wanted === allColumns || (wanted === '' && first === undefined)) return [...columns]
  const named = pick(columns, wanted.split(','))
  return named.length > 0 ? named : pick(columns, first ?? [])
}

function pick<T>(columns: readonly Column<T>[], names: readonly string[]): Column<T>[] {
  return [...new Set(names)].flatMap((name) => columns.find(({ accessor }) => accessor === name) ?? [])
}
