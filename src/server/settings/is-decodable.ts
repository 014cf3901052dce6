/** Whether user, password and path of an address can be read: a % that encodes nothing has to be written as %25. */
export function isDecodable(address: string): boolean {
  const { username = '', password = '', pathname = '' } = URL.parse(address) ?? {}
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
