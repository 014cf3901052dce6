import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useCurrentUser } from '../../../queries/session.ts'
import { ChangeFactor } from './change-factor.tsx'
import { SetUpFactor } from './set-up-factor.tsx'

type Step = 'set-up' | 'disable' | 'renew'

/** Turns the second factor of the sign-in on and off, and makes new recovery codes. */
export function SecondFactorCard() {
  const { data: user } = useCurrentUser()
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  if (user === undefined) return null
  const isOn = user.hasSecondFactor
  return (
    <Card withBorder component="section" aria-label="Two-factor authentication">
      <Stack>
        <Group gap="xs">
          <Title order={2} size="h5">
            Two-factor authentication
          </Title>
          <Badge variant="light" color={isOn ? 'green' : 'gray'}>
            {isOn ? 'On' : 'Off'}
          </Badge>
        </Group>
        <Text>
          {isOn
            ? 'After your password, the sign-in asks for a code of your authenticator app.'
            : 'Protect your account with a second step: a code of an authenticator app on your phone, asked for after your password.'}
        </Text>
        {isOn ? (
          <Group>
            <Button variant="default" onClick={() => setStep('renew')}>
              Make new recovery codes
            </Button>
            <Button variant="outline" color="red" onClick={() => setStep('disable')}>
              Turn off
            </Button>
          </Group>
        ) : (
          <Group>
            <Button onClick={() => setStep('set-up')}>Set up</Button>
          </Group>
        )}
      </Stack>
      {step === 'set-up' ? <SetUpFactor email={user.email} onClose={close} /> : null}
      {step === 'disable' || step === 'renew' ? <ChangeFactor kind={step} onClose={close} /> : null}
    </Card>
  )
}
