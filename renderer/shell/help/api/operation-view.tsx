import { Group, Table, Text, TextInput, Title } from '@mantine/core';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { rightsWords } from '../../../identity/rights.words.ts';
import { useCan } from '../../../kit/access/access-state.ts';
import { ownAddress } from '../../../kit/api/own-address.ts';
import { CopyButton } from '../../../kit/design/copy-button.tsx';
import { PanelLink } from '../../../kit/design/panel-link.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { guideAddress } from '../guides.ts';
import classes from './api.module.css';
import { apiWords } from './api.words.ts';
import { type CurlRequest, curlCommand } from './curl-command.ts';
import { usePastedKey, useShell } from './curl-settings.tsx';
import type { ApiOperation, Content, Schemas } from './open-api.ts';
import { requestOf } from './request.ts';
import { SchemaView } from './schema-view.tsx';
import { limitsOf, typeOf } from './schemas.ts';
import { permissionOf, standingOf } from './standing.ts';

/** Shown in place of a pasted key: the key is copied, but never shown again. */
const hiddenKey = '•'.repeat(12);

/** A command that calls the route from this person's own address. */
const CurlBox = (props: {
  readonly operation: ApiOperation;
  readonly schemas: Schemas;
  /** The typed parameter values, by name. */
  readonly values: Readonly<Record<string, string>>;
}) => {
  const { operation, schemas, values } = props;
  const words = useWords(apiWords);
  const shell = useShell();
  const key = usePastedKey();
  const request: CurlRequest = requestOf(operation, schemas, values, ownAddress());
  const shown = curlCommand(request, shell, key === null ? null : hiddenKey);
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={3} fz="sm">
          {words.example}
        </Title>
        <CopyButton value={curlCommand(request, shell, key)} label={words.copyCommand} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by the keyboard, too */}
      <pre className={classes.command} tabIndex={0}>
        {shown}
      </pre>
      <Text size="xs" c="dimmed" mt={4}>
        {key === null ? words.withVariable : words.withKey} {operation.body && words.exampleBody}
      </Text>
    </section>
  );
};

/** One route as a row; when opened, everything that a caller needs to know about it. */
export const OperationView = (props: {
  readonly operation: ApiOperation;
  readonly schemas: Schemas;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) => {
  const { operation, schemas, isOpen, onToggle } = props;
  const words = useWords(apiWords);
  const { method, path, summary, isDeprecated } = operation;
  const standing = standingOf(operation, useCan());
  const id = useId();
  const Sign = standing === 'yes' ? IconCheck : IconLock;
  return (
    <>
      <button
        type="button"
        className={classes.operation}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
      >
        <span className={classes.method} data-method={method}>
          {method}
        </span>
        <span className={classes.path}>{path}</span>
        <span className={classes.summary}>
          <span lang="en">{summary}</span>
          {isDeprecated && <span className={classes.former}>{words.former}</span>}
        </span>
        <span className={classes.standing} data-standing={standing} title={words.standings[standing]}>
          <Sign size={16} aria-label={words.standings[standing]} role="img" />
        </span>
      </button>
      {isOpen && (
        <div id={id} className={classes.details}>
          <Details operation={operation} schemas={schemas} />
        </div>
      )}
    </>
  );
};

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <Title order={3} fz="sm" mb="xs">
      {title}
    </Title>
    {children}
  </section>
);

const Details = ({ operation, schemas }: { readonly operation: ApiOperation; readonly schemas: Schemas }) => {
  const words = useWords(apiWords);
  const rights = useWords(rightsWords);
  const can = useCan();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { parameters, body, answer } = operation;
  const standing = standingOf(operation, can);
  const permission = permissionOf(operation);
  return (
    <>
      <Text>
        {words.standings[standing]}
        {permission && `: ${rights.permissions[permission]}`}.
      </Text>
      {parameters.length > 0 && (
        <Part title={words.parameters}>
          <div className={classes.parameters}>
            {parameters.map((parameter) => {
              const { name, schema, isRequired, description } = parameter;
              return (
                <TextInput
                  key={`${parameter.in} ${name}`}
                  label={name}
                  description={
                    <>
                      {words.places[parameter.in]} ·{' '}
                      <span lang="en">{[typeOf(schema), ...limitsOf(schema)].join(', ')}</span>
                      {description !== null && <span lang="en"> · {description}</span>}
                    </>
                  }
                  // Marked as required, but nothing is sent from here.
                  withAsterisk={isRequired}
                  value={values[name] ?? ''}
                  onChange={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={500}
                />
              );
            })}
          </div>
        </Part>
      )}
      {(standing === 'yes' || standing === 'lacks') && (
        <CurlBox operation={operation} schemas={schemas} values={values} />
      )}
      {body && (
        <Part title={words.body}>
          <ContentView content={body} schemas={schemas} />
        </Part>
      )}
      {answer && (
        <Part title={words.answer}>
          <ContentView content={answer} schemas={schemas} />
        </Part>
      )}
      <Errors operation={operation} />
    </>
  );
};

const ContentView = ({ content, schemas }: { readonly content: Content; readonly schemas: Schemas }) => {
  const words = useWords(apiWords);
  const isJson = content.type.startsWith('application/json');
  return (
    <>
      {!isJson && <Text size="sm">{words.contentType(content.type)}</Text>}
      {isJson && content.schema && <SchemaView schema={content.schema} schemas={schemas} />}
    </>
  );
};

const Errors = ({ operation }: { readonly operation: ApiOperation }) => {
  const words = useWords(apiWords);
  const id = useId();
  return (
    <details className={classes.errors}>
      <summary id={id}>{words.errors(operation.errors.length)}</summary>
      <Text size="sm" my="xs">
        <PanelLink to={guideAddress({ guide: 'problems' })}>{words.allErrors}</PanelLink>
      </Text>
      <Table aria-labelledby={id}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.status}</Table.Th>
            <Table.Th scope="col">{words.code}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {operation.errors.map(({ status, code, meaning }) => (
            <Table.Tr key={code}>
              <Table.Td>{status}</Table.Td>
              <Table.Td>
                <code>{code}</code>
                <Text size="sm" c="dimmed" lang="en">
                  {meaning}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
};
