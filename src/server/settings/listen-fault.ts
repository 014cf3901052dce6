/** Why the process cannot listen, with the setting that says where and what to do. */
export function listenFault(
  error: NodeJS.ErrnoException,
  { name, host, port }: { name: string; host: string; port: number },
): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `setting ${name}: ${port} is taken on ${host}; set another port, or end the program that has it`
    case 'EACCES':
      return `setting ${name}: this user may not listen on ${port}; set a port from 1024 on`
    default:
      return `settings HOST and ${name}: cannot listen on ${host}:${port} (${error.code}); set an address of this machine`
  }
}
