import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type DiscordReport, discordIdPattern, discordTokenPattern } from '#contracts/desktop-first-run.ts';
import type { BotState } from '#contracts/desktop-network.ts';
import { accessWords } from '../../../access/access.words.ts';
import { Card } from '../../../design/card.tsx';
import { ConfirmAct } from '../../../design/confirm-act.tsx';
import { callDesktop } from '../../../desktop/desktop-bridge.ts';
import { useWords } from '../../../language/use-words.ts';
import { ActFailed } from '../../../wizard/act-failed.tsx';
import { DiscordResult } from '../../../wizard/first-run/discord-result.tsx';
import { firstRunWords } from '../../../wizard/first-run/first-run.words.ts';
import { useDesktopAct } from '../../../wizard/use-desktop-act.ts';
import { networkWords } from './network.words.ts';

interface BotFormProps {
  readonly state: BotState;
  readonly onState: (state: BotState) => void;
}

const isId = (text: string): boolean => text === '' || discordIdPattern.test(text);

/** The bot's token, which is never shown again, and where it works; tested before it is kept. */
export const BotForm = ({ state, onState }: BotFormProps) => {
  const words = useWords(networkWords);
  const { discord } = useWords(firstRunWords);
  const { showPassword } = useWords(accessWords);
  const act = useDesktopAct();
  const [token, setToken] = useState('');
  const [clientId, setClientId] = useState(state.clientId);
  const [guildId, setGuildId] = useState(state.guildId);
  const [report, setReport] = useState<DiscordReport | null>(null);
  const [isSaved, setIsSaved] = useState(false);
  const [isClearing, setIsClearing] = useState(false);

  const typed = token.trim();
  const isToken = discordTokenPattern.test(typed);
  const isComplete = (typed === '' ? state.hasToken : isToken) && isId(clientId) && isId(guildId);
  const asked = { token: typed === '' ? null : typed, clientId, guildId };
  const change = (what: () => void) => {
    setReport(null);
    setIsSaved(false);
    what();
  };
  const test = () =>
    act.run(async () => {
      setReport(null);
      const found = await callDesktop('bot.test', asked);
      setReport(found);
      if ('clientId' in found && found.outcome !== 'other-client') setClientId(found.clientId);
    });
  const save = () =>
    act.run(async () => {
      onState(await callDesktop('bot.change', asked));
      setToken('');
      setReport(null);
      setIsSaved(true);
    });
  const maySave = report !== null && report.outcome !== 'token-wrong' && report.outcome !== 'other-client';

  return (
    <Card title={words.bot}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) void (maySave ? save() : test());
        }}
      >
        <Stack gap="sm">
          <Text>{words.botText}</Text>
          <PasswordInput
            label={discord.token}
            description={state.hasToken ? words.tokenSet : words.tokenNone}
            placeholder={state.hasToken ? words.keepToken : undefined}
            value={token}
            onChange={({ currentTarget }) => change(() => setToken(currentTarget.value))}
            error={typed !== '' && !isToken && discord.wrongToken}
            visibilityToggleButtonProps={{ 'aria-label': showPassword }}
            autoComplete="off"
            readOnly={act.isActing}
            maxLength={200}
          />
          <TextInput
            label={discord.clientId}
            value={clientId}
            onChange={({ currentTarget }) => change(() => setClientId(currentTarget.value.trim()))}
            error={!isId(clientId) && discord.wrongId}
            inputMode="numeric"
            autoComplete="off"
            readOnly={act.isActing}
            maxLength={40}
          />
          <TextInput
            label={discord.guildId}
            description={discord.idHelp}
            value={guildId}
            onChange={({ currentTarget }) => change(() => setGuildId(currentTarget.value.trim()))}
            error={!isId(guildId) && discord.wrongId}
            inputMode="numeric"
            autoComplete="off"
            readOnly={act.isActing}
            maxLength={40}
          />
          {report && <DiscordResult report={report} onClientId={(id) => change(() => setClientId(id))} />}
          {act.error !== null && <ActFailed error={act.error} />}
          <div role="status">{isSaved && words.botSaved}</div>
          <Group gap="xs">
            <Button
              type="submit"
              variant={maySave ? 'filled' : 'default'}
              loading={act.isActing}
              disabled={!isComplete}
            >
              {maySave ? words.saveBot : words.test}
            </Button>
            {state.hasToken && (
              <Button variant="default" onClick={() => setIsClearing(true)} disabled={act.isActing}>
                {words.clear}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      {isClearing && (
        <ConfirmAct
          title={words.clearTitle}
          act={words.clearAct}
          onAct={async () => {
            onState(await callDesktop('bot.clear', undefined));
            setIsSaved(false);
          }}
          onClose={() => setIsClearing(false)}
        >
          <Text>{words.clearText}</Text>
        </ConfirmAct>
      )}
    </Card>
  );
};
