import { Button, Code, Group, PasswordInput, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import type { FirstRunState } from '#contracts/desktop/desktop-first-run.ts';
import { DiscordIdFields, isDiscordToken } from '../../../discord/discord-setup/discord-id-fields.tsx';
import { DiscordResult } from '../../../discord/discord-setup/discord-result.tsx';
import { discordSetupWords } from '../../../discord/discord-setup/discord-setup.words.ts';
import { accessWords } from '../../../identity/access/access.words.ts';
import { CopyButton } from '../../../kit/design/copy-button.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import classes from '../../../operations/computer/desktop-actions/wizard.module.css';
import { firstRunWords } from '../../../operations/computer/network/first-run.words.ts';
import { PortField } from '../../../operations/computer/network/port-field.tsx';
import type { FirstRunForm } from './use-first-run-form.ts';

interface AdvancedProps {
  readonly state: FirstRunState;
  readonly form: FirstRunForm;
}

/** The ports, who may reach them, and whether it starts automatically. */
const Network = ({ state, form }: AdvancedProps) => {
  const { network } = useWords(firstRunWords);
  const { draft, ports, isActing } = form;
  const { apiPort, postgresPort, isOpen } = draft;
  return (
    <Stack component="section" gap="sm" aria-label={network.title}>
      <Title order={2}>{network.title}</Title>
      <SimpleGrid cols={2} spacing="sm">
        <PortField
          label={network.apiPort}
          port={apiPort}
          report={ports?.api}
          onPort={(port) => form.setPorts({ apiPort: port })}
          isReadOnly={isActing}
        />
        <PortField
          label={network.postgresPort}
          port={postgresPort}
          report={ports?.postgres}
          onPort={(port) => form.setPorts({ postgresPort: port })}
          isReadOnly={isActing}
        />
      </SimpleGrid>
      <Switch
        label={network.open}
        description={network.openText}
        checked={isOpen}
        onChange={({ currentTarget }) => form.setPorts({ isOpen: currentTarget.checked })}
      />
      {isOpen && (
        <Stack gap="xs">
          <Text size="sm">{network.openRisk}</Text>
          {state.addresses.length > 0 && <Text size="sm">{network.openAddresses}</Text>}
          {state.addresses.map((address) => (
            <Group key={address} gap="xs" wrap="nowrap">
              <Code>{`http://${address}:${apiPort}`}</Code>
              <CopyButton value={`http://${address}:${apiPort}`} />
              {state.adapters[address] !== undefined && <Text size="sm">{state.adapters[address]}</Text>}
            </Group>
          ))}
        </Stack>
      )}
      <div role="status">{ports?.asksForFirewall && <Text size="sm">{network.firewall}</Text>}</div>
    </Stack>
  );
};

/** The bot's token and where it works; optional. */
const Discord = ({ form }: AdvancedProps) => {
  const { discord } = useWords(firstRunWords);
  const setup = useWords(discordSetupWords);
  const { showPassword } = useWords(accessWords);
  const { bot, draft, isActing } = form;
  return (
    <Stack component="section" gap="sm" aria-label={discord.title}>
      <Title order={2}>{discord.title}</Title>
      <PasswordInput
        label={setup.token}
        description={discord.text}
        value={bot.token}
        onChange={({ currentTarget: { value } }) => form.setBot({ token: value })}
        error={bot.token.trim() !== '' && !isDiscordToken(bot.token) && setup.wrongToken}
        visibilityToggleButtonProps={{ 'aria-label': showPassword }}
        autoComplete="off"
        readOnly={isActing}
        maxLength={2000}
      />
      <DiscordIdFields
        clientId={draft.clientId}
        guildId={draft.guildId}
        onClientId={(id) => form.setBot({ clientId: id })}
        onGuildId={(id) => form.setBot({ guildId: id })}
        isReadOnly={isActing}
        isGuildAlone
      />
      {bot.report && <DiscordResult report={bot.report} onClientId={(id) => form.setBot({ clientId: id })} />}
      <Group>
        <Button variant="default" onClick={form.testBot} disabled={!form.isBotComplete || isActing}>
          {discord.test}
        </Button>
      </Group>
    </Stack>
  );
};

/** Settings that most people need not look at. */
export const AdvancedChoices = (props: AdvancedProps) => {
  const words = useWords(firstRunWords);
  const { form } = props;
  return (
    <details
      className={classes.folded}
      open={form.isAdvanced}
      onToggle={({ currentTarget }) => form.setAdvanced(currentTarget.open)}
    >
      <summary>
        {words.advanced}{' '}
        <Text span size="sm" c="dimmed">
          {words.advancedText}
        </Text>
      </summary>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" pt="sm" pb="md">
        <Network {...props} />
        <Discord {...props} />
      </SimpleGrid>
    </details>
  );
};
