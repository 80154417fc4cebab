import { Group, Text, Title } from '@mantine/core';
import { CopyButton } from '../../../design/copy-button.tsx';
import { useWords } from '../../../language/use-words.ts';
import { ownAddress } from '../../../wire/own-address.ts';
import classes from './api.module.css';
import { apiWords } from './api.words.ts';
import { type CurlRequest, curlCommand } from './curl-command.ts';
import { usePastedKey, useShell } from './curl-settings.tsx';
import type { ApiOperation, Schemas } from './open-api.ts';
import { requestOf } from './request.ts';

export interface CurlBoxProps {
  readonly operation: ApiOperation;
  readonly schemas: Schemas;
  /** The typed parameter values, by name. */
  readonly values: Readonly<Record<string, string>>;
}

/** Shown in place of a pasted key: the key is copied, but never shown again. */
const hiddenKey = '•'.repeat(12);

/** A command that calls the route from this person's own address. */
export const CurlBox = ({ operation, schemas, values }: CurlBoxProps) => {
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
