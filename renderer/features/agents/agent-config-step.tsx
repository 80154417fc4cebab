import { Alert, Button, Code, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { GameServer } from '#contracts/game-servers.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { saveFile } from '../../design/save-file.ts';
import { useWords } from '../../language/use-words.ts';
import { isApiAddress, ownAddress } from '../../wire/own-address.ts';
import { agentConfig, configCommand, isLoopbackAddress } from './agent-config.ts';
import { agentsWords } from './agents.words.ts';
import { CommandLine } from './command-line.tsx';

const secretName = 'GAME_AGENT_SECRET';

/** Two ways to the agent's config.json: the whole file by a command, or a template without secrets. */
export const AgentConfigStep = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(agentsWords);
  const { config } = words.steps;
  const [apiUrl, setApiUrl] = useState(ownAddress);
  const address = apiUrl.trim();
  const template = agentConfig({
    server,
    apiUrl: address,
    secret: words.secretHere,
    password: words.passwordHere,
  });
  return (
    <Stack gap="sm">
      <TextInput
        label={config.api}
        value={apiUrl}
        onChange={({ currentTarget }) => setApiUrl(currentTarget.value)}
        error={!isApiAddress(address) && config.apiFault}
        inputMode="url"
        maxLength={300}
        maw="30rem"
      />
      {isLoopbackAddress(address) && (
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle aria-hidden />} role="status">
          {config.apiLoopback}
        </Alert>
      )}
      <Text>{config.whole}</Text>
      <CommandLine command={configCommand(server, address)} />
      <Text>{config.template}</Text>
      <List>
        <List.Item>{config.secret(secretName)}</List.Item>
        <List.Item>{config.password}</List.Item>
      </List>
      <Code block dir="ltr" role="region" aria-label={config.templateName} tabIndex={0}>
        {template}
      </Code>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={!isApiAddress(address)}
          onClick={() => saveFile(template, 'config.json', 'application/json')}
        >
          {config.download}
        </Button>
        <CopyButton value={template} label={config.copy} />
      </Group>
    </Stack>
  );
};
