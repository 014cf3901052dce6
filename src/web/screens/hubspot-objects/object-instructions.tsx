import { Code, List, Stack, Table, Text, Title } from '@mantine/core'
import type { ObjectPlan } from '../../queries/object-check.ts'

/** What to enter in HubSpot for one of the two objects. */
export function ObjectInstructions({ number, object }: { number: number; object: ObjectPlan }) {
  return (
    <Stack component="section" aria-label={object.plural} gap="sm">
      <Title order={3} size="h4">
        {number}. {object.plural}
      </Title>
      <List type="ordered" spacing="xs" size="sm">
        <List.Item>
          In HubSpot, open <strong>Settings &gt; Data Management &gt; Custom Objects</strong> and create a
          custom object: singular <strong>{object.singular}</strong>, plural <strong>{object.plural}</strong>,
          internal name <Code>{object.name}</Code>. HubSpot never changes an internal name later.
        </List.Item>
        <List.Item>
          Choose <Names names={[object.primaryDisplay]} /> as its primary display property.
        </List.Item>
        <List.Item>
          Create the properties of the table below, each with exactly this internal name and type.
        </List.Item>
        <List.Item>
          Show <Names names={object.secondaryDisplay} /> as secondary display properties, and make{' '}
          <Names names={object.searchable} /> searchable.
        </List.Item>
        <List.Item>Associate the object with {object.associations.join(', ')}.</List.Item>
      </List>
      <Table.ScrollContainer minWidth={300} type="native" tabIndex={0}>
        <Table aria-label={`Properties of ${object.plural}`} withTableBorder striped>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Label and internal name</Table.Th>
              <Table.Th>Type</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {object.properties.map((property) => (
              <Table.Tr key={property.name}>
                <Table.Td>
                  {property.label}
                  <br />
                  <Code style={{ overflowWrap: 'anywhere' }}>{property.name}</Code>
                </Table.Td>
                <Table.Td>
                  {property.type}
                  {property.isUnique ? (
                    <Text size="sm" fw={600}>
                      Require unique values
                    </Text>
                  ) : null}
                  {property.options.length === 0 ? null : <Options options={property.options} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

function Names({ names }: { names: readonly string[] }) {
  return names.map((name, at) => (
    <span key={name}>
      {at === 0 ? '' : at === names.length - 1 ? ' and ' : ', '}
      <Code>{name}</Code>
    </span>
  ))
}

function Options({ options }: { options: ObjectPlan['properties'][number]['options'] }) {
  return (
    <List size="sm" spacing={2} mt={4}>
      {options.map(({ label, value }) => (
        <List.Item key={value}>
          {label}, internal value <Code>{value}</Code>
        </List.Item>
      ))}
    </List>
  )
}
