import { Button, Group } from '@mantine/core'
import { IconGavel, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { serverText } from '../../client.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useMatching } from '../../queries/run-matching.ts'
import { useObstacles } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { RulesDialog } from './rules/rules-dialog.tsx'

/** Opens the rules and runs the matching. */
export function ReviewActions() {
  const [hasRulesOpen, setRulesOpen] = useState(false)
  const toast = useToast()
  const { isHubspotUsable } = useObstacles()
  const refreshRecords = useRefreshRecords()
  const matching = useMatching({
    onMatched: toast,
    onFailed: (error) => {
      const description = serverText(error, 'Failed to run matching algorithm.')
      toast({ title: 'Matching Error', description, isError: true })
    },
  })
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconGavel size={16} aria-hidden />}
        onClick={() => setRulesOpen(true)}
      >
        Rules
      </Button>
      <StartButton
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        isBusy={matching.isRunning}
        isOff={!isHubspotUsable}
        onClick={() => void matching.run().then(refreshRecords)}
      >
        Run Matching
      </StartButton>
      <RulesDialog isOpen={hasRulesOpen} onClose={() => setRulesOpen(false)} />
    </Group>
  )
}
