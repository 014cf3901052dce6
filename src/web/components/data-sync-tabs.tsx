import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'

type DataSyncTabsProps = { current: (typeof tabs)[number]['value']; children: ReactNode }

const tabs = [
  { value: 'data-sync', label: 'Data Sync', to: paths.dataSync },
  { value: 'sync-history', label: 'Sync History', to: paths.syncHistory },
  { value: 'sync-health', label: 'Sync Health', to: paths.syncHealth },
] as const

/** Links the parts of data sync, each with its own address, as links that also open in a new tab. */
export function DataSyncTabs({ current, children }: DataSyncTabsProps) {
  return (
    <Tabs value={current} activateTabWithKeyboard={false}>
      <Tabs.List mb="md">
        {tabs.map(({ value, label, to }) => (
          <Tabs.Tab key={value} value={value} renderRoot={(props) => <Link {...props} to={to} />}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={current}>{children}</Tabs.Panel>
    </Tabs>
  )
}
