import { Alert, type AlertProps } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useLocation, useSearchParams } from 'react-router'
import { useCurrentUser } from '../queries/session.ts'
import { signInProblem } from '../screens/sign-in/sign-in-problem.ts'

type Margins = Pick<AlertProps, 'm' | 'mb'>

/** Says why a link or a sign-in failed. The address carries the reason, on any screen. */
export function AddressProblem(margins: Margins) {
  const [params] = useSearchParams()
  return params.get('error') ? <Problem {...margins} /> : null
}

function Problem(margins: Margins) {
  const [params, setParams] = useSearchParams()
  const { data: user } = useCurrentUser()
  const problem = signInProblem(params.get('error'), useLocation().pathname, user !== undefined)
  if (problem === null) return null
  const dismiss = () =>
    setParams(
      (shown) => {
        shown.delete('error')
        return shown
      },
      { replace: true },
    )
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertCircle size={18} aria-hidden />}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={dismiss}
      style={{ flexShrink: 0 }}
      {...margins}
    >
      {problem}
    </Alert>
  )
}
