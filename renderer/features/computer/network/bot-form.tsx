import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { DiscordReport } from '#contracts/desktop-first-run.ts';
import type { BotState } from '#contracts/desktop-network.ts';
import { Card } from '../../../design/card.tsx';
import { ConfirmAction } from '../../../design/confirm-action.tsx';
import { callDesktop } from '../../../desktop/desktop-bridge.ts';
import { useWords } from '../../../language/use-words.ts';
import { ActionFailed } from '../../../wizard/action-failed.tsx';
import { DiscordFields, isDiscordId, isDiscordToken } from '../../../wizard/first-run/discord-fields.tsx';
import { DiscordResult } from '../../../wizard/first-run/discord-result.tsx';
import { useDesktopAction } from '../../../wizard/use-desktop-action.ts';
import { networkWords } from './network.words.ts';

interface BotFormProps {
  readonly state: BotState;
  readonly onState: (state: BotState) => void;
}

/** The bot's token, which is never shown again, and where it works; tested before it is kept. */
export const BotForm = ({ state, onState }: BotFormProps) => {
  const words = useWords(networkWords);
  const act = useDesktopAction();
  const [token, setToken] = useState('');
  const [clientId, setClientId] = useState(state.clientId);
  const [guildId, setGuildId] = useState(state.guildId);
  const [report, setReport] = useState<DiscordReport | null>(null);
  const [isSaved, setIsSaved] = useState(false);
  const [isClearing, setIsClearing] = useState(false);

  const typed = token.trim();
  const isTokenFine = typed === '' ? state.hasToken : isDiscordToken(typed);
  const isComplete = isTokenFine && isDiscordId(clientId) && isDiscordId(guildId);
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
          <DiscordFields
            token={token}
            clientId={clientId}
            guildId={guildId}
            onToken={(text) => change(() => setToken(text))}
            onClientId={(id) => change(() => setClientId(id))}
            onGuildId={(id) => change(() => setGuildId(id))}
            isReadOnly={act.isActing}
            tokenDescription={state.hasToken ? words.tokenSet : words.tokenNone}
            tokenPlaceholder={state.hasToken ? words.keepToken : undefined}
          />
          {report && <DiscordResult report={report} onClientId={(id) => change(() => setClientId(id))} />}
          {act.error !== null && <ActionFailed error={act.error} />}
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
        <ConfirmAction
          title={words.clearTitle}
          act={words.clearAct}
          onAction={async () => {
            onState(await callDesktop('bot.clear', undefined));
            setIsSaved(false);
          }}
          onClose={() => setIsClearing(false)}
        >
          <Text>{words.clearText}</Text>
        </ConfirmAction>
      )}
    </Card>
  );
};
