import { Modal, type ModalProps } from '@mantine/core'
import { useFocusGivenBack } from '../buttons/use-refuge.ts'

/**
 * A dialog. When it closes, the button that opened it gets the focus. If the button is gone by then, the part of the screen
 * around it gets the focus. With `returnFocus={false}`, the dialog moves no focus.
 */
export function Dialog(props: ModalProps) {
  useFocusGivenBack(props.opened && props.returnFocus !== false)
  return <Modal {...props} />
}
