/** Mail in plain text with at most one link that does something. */
export type Mail = { to: string; subject: string; body: string; link: string | null }

export type MailPort = { send(mail: Mail): Promise<void> }
