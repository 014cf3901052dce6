import { Alert, type AlertProps } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useLocation, useSearchParams } from 'react-router'
import { signInProblem } from '../screens/sign-in/sign-in-problem.ts'

/** Says why a link or a sign-in failed. The address carries the reason, on any screen. */
export function AddressProblem(margins: Pick<AlertProps, 'm' | 'mb'>) {
  const [params, setParams] = useSearchParams()
  const problem = signInProblem(params.get('error'), useLocation().pathname)
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
