import { useLocalStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import type { ListControls } from './use-list-state.ts'

/**
 * Keeps the columns that a person chose last, in their browser under `key`. A list opened without columns in its address
 * gets them there, so that links and saved views name what they show.
 */
export function useKeptColumns(key: string | undefined, { state, change }: ListControls) {
  const [kept, keep] = useLocalStorage({
    key: key ?? 'columns',
    defaultValue: '',
    getInitialValueInEffect: false,
    serialize: (columns) => columns,
    deserialize: (text) => text ?? '',
  })
  const { columns, page } = state
  useEffect(() => {
    if (key !== undefined && columns === '' && kept !== '') change({ columns: kept, page }, 'replace')
  })
  return (chosen: string) => {
    keep(chosen)
    change({ columns: chosen, page })
  }
}
