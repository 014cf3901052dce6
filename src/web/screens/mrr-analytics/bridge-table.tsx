import type { ComponentProps } from 'react'
import { WideTable } from '../../components/wide-table/wide-table.tsx'
import classes from './bridge-table.module.css'

/** A table of rows from their start to their end, all of whose columns fit beside each other at 1280 px. */
export function BridgeTable(table: ComponentProps<typeof WideTable>) {
  return (
    <WideTable
      horizontalSpacing="var(--bridge-room)"
      verticalSpacing={6}
      className={classes['bridge'] ?? ''}
      {...table}
    />
  )
}
