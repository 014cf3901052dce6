import { Modal, type ModalProps } from '@mantine/core'
import { useFocusGivenBack } from '../buttons/use-refuge.ts'

/**
 * A dialog. When it is closed or taken away, the keyboard goes on at what opened it, or at the part of the screen
 * around that, also when both go at once. `returnFocus={false}` leaves that to whoever opens it.
 */
export function Dialog(props: ModalProps) {
  useFocusGivenBack(props.opened && props.returnFocus !== false)
  return <Modal {...props} />
}
