/** What a process of the product needs apart from its settings; it reads what earlier ones compiled. */
export const bareEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}
