import { z } from 'zod'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorBody } from '#contract/errors.ts'

type Json = z.core.util.JSONType

const toSchema = (schema: z.ZodType, io: 'input' | 'output'): Record<string, Json> =>
  JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })))

const errors: Json = {
  description: 'A refusal.',
  content: { 'application/json': { schema: toSchema(errorBody, 'output') } },
}

/** The contract as OpenAPI 3.1, generated only from the endpoint table. */
export function describeApi(publicUrl: string): Record<string, Json> {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of Object.entries(api)) {
    const methods = paths[endpoint.path] ?? {}
    methods[endpoint.method.toLowerCase()] = describeEndpoint(name, endpoint)
    paths[endpoint.path] = methods
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tributary', version: '1' },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'tributary.session_token' } },
    },
  }
}

function describeEndpoint(name: string, endpoint: Endpoint): Json {
  const hasBody = endpoint.method !== 'GET'
  const description = endpoint.summary
  const success: Record<Endpoint['answers'], () => object> = {
    json: () => {
      const schema = toSchema(endpoint.response, 'output')
      return { '200': { description, content: { 'application/json': { schema } } } }
    },
    file: () => ({ '200': { description, content: { 'text/*': {} } } }),
    page: () => ({ '302': { description: 'Sends the browser on.' } }),
  }
  return {
    operationId: name,
    summary: endpoint.summary,
    'x-access': endpoint.access,
    security: endpoint.access === 'public' ? [] : [{ session: [] }],
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(hasBody && {
      requestBody: {
        content: {
          'application/json': endpoint.reads === 'bytes' ? {} : { schema: toSchema(endpoint.body, 'input') },
        },
      },
    }),
    responses: { ...success[endpoint.answers](), default: errors },
  }
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): Json[] {
  const { properties, required } = toSchema(schema, 'input')
  const needed = Array.isArray(required) ? required : []
  return Object.entries(Object(properties)).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    schema: JSON.parse(JSON.stringify(of)),
  }))
}
