import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../paths.ts'

type DataSyncTabsProps = { current: 'data-sync' | 'sync-history'; children: ReactNode }

/** Links the two halves of data sync, each with its own address. */
export function DataSyncTabs({ current, children }: DataSyncTabsProps) {
  const navigate = useNavigate()
  const open = (tab: string | null) =>
    void navigate(tab === 'sync-history' ? paths.syncHistory : paths.dataSync)
  return (
    <Tabs value={current} onChange={open} activateTabWithKeyboard={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="data-sync">Data Sync</Tabs.Tab>
        <Tabs.Tab value="sync-history">Sync History</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={current}>{children}</Tabs.Panel>
    </Tabs>
  )
}
