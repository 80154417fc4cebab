import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { DiscordField } from '#contracts/discord/bot.ts';
import { type DiscordSettings, discordHttp } from '#contracts/discord/discord.ts';
import type { DiscordReport } from '#contracts/discord/discord-application.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { callDesktop, desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { SecretField } from '../../kit/forms/secret-field.tsx';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { FormConflict } from '../../kit/forms/versioned-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { ActionFailed } from '../../operations/action-failed.tsx';
import { useDesktopAction } from '../../operations/use-desktop-action.ts';
import { discordWords } from '../discord-parts/discord.words.ts';
import { inUse } from '../discord-parts/in-use.ts';
import { DiscordIdFields, isDiscordId, isDiscordToken } from './discord-id-fields.tsx';
import { DiscordResult } from './discord-result.tsx';
import { discordSetupWords } from './discord-setup.words.ts';

/** Says that `.env` takes precedence, and how to set the value in the panel instead. */
const EnvNotice = ({
  fields,
  mayChange,
}: {
  readonly fields: readonly DiscordField[];
  readonly mayChange: boolean;
}) => {
  const words = useWords(discordWords);
  const act = useDesktopAction();
  const [isMoved, setIsMoved] = useState(false);
  const move = () =>
    act.run(async () => {
      await callDesktop('bot.moveFromEnv', undefined);
      setIsMoved(true);
    });
  if (isMoved) return <Text role="status">{words.moved}</Text>;
  if (fields.length === 0) return null;
  return (
    <Alert color="var(--tone-busy)" variant="outline" title={words.fromEnv}>
      <Stack gap="xs" align="flex-start">
        {desktopBridge() && mayChange ? (
          <>
            <Text>{words.moveText}</Text>
            <Button variant="default" loading={act.isActing} onClick={() => void move()}>
              {words.move}
            </Button>
            {act.error !== null && <ActionFailed error={act.error} />}
          </>
        ) : (
          <Text>{words.fromEnvByHand}</Text>
        )}
      </Stack>
    </Alert>
  );
};

interface Draft {
  /** The version when the typing began. */
  readonly version: number;
  /** Undefined or empty: unchanged; null: cleared. */
  readonly token: string | null | undefined;
  readonly clientId: string;
  readonly guildId: string;
}

const draftOf = (settings: DiscordSettings): Draft => {
  const { clientId, guildId } = inUse(settings);
  return { version: settings.version, token: undefined, clientId, guildId };
};

/** The token, which is never shown again, and where the bot works; tested against Discord before it is saved. */
export const SetupCard = ({
  newest,
  readNewest,
}: {
  readonly newest: DiscordSettings;
  readonly readNewest: () => Promise<unknown>;
}) => {
  const words = useWords(discordWords);
  const setup = useWords(discordSetupWords);
  const mayChange = useCan()('settings.write');
  const [draft, setDraft] = useState<Draft | null>(null);
  const [report, setReport] = useState<DiscordReport | null>(null);
  const change = useChange(discordHttp.change, [discordHttp.read]);
  const test = useChange(discordHttp.test, []);
  const retry = useChange(discordHttp.retry, []);

  const shown = draft ?? draftOf(newest);
  const typed = shown.token?.trim() ?? '';
  const isFromEnv = (name: 'token' | 'clientId' | 'guildId') => newest.fromEnv.fields.includes(name);
  const isTestable = typed !== '' || (shown.token !== null && inUse(newest).hasToken);
  const isWellFormed =
    (typed === '' || isDiscordToken(typed)) && isDiscordId(shown.clientId) && isDiscordId(shown.guildId);

  const ask = async (): Promise<DiscordReport> => {
    setReport(null);
    const { clientId, guildId } = shown;
    const found = await test.mutateAsync({ body: { token: typed || null, clientId, guildId } });
    setReport(found);
    // The bot notices a fix in Discord only when it signs in again.
    if (found.outcome === 'fine' && typed === '' && newest.bot?.obstacle) await retry.mutateAsync({});
    return found;
  };
  const form = useVersionedForm({
    version: shown.version,
    newest,
    readNewest,
    async send(version) {
      const found = isTestable ? await ask() : null;
      if (found?.outcome === 'token-wrong' || found?.outcome === 'other-client') return null;
      const clientId = shown.clientId || (found && 'clientId' in found ? found.clientId : '');
      const token = shown.token === null ? null : typed || undefined;
      const saved = await change.mutateAsync({
        body: {
          version,
          ...(!isFromEnv('token') && token !== undefined && { token }),
          ...(!isFromEnv('clientId') && { clientId: clientId || null }),
          ...(!isFromEnv('guildId') && { guildId: shown.guildId || null }),
        },
      });
      setDraft(null);
      notifyDone(words.saved);
      return saved;
    },
    show: () => setDraft(null),
  });
  const edit = (edited: Partial<Draft>) => {
    setReport(null);
    test.reset();
    form.clear();
    setDraft({ ...shown, ...edited });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWellFormed && !form.isSaving && !form.theirs) void form.save();
  };
  // The problem that the test found is solved by now.
  const isReportOver = draft === null && newest.bot?.state === 'connected' && report?.outcome !== 'fine';
  const isBusy = form.isSaving || test.isPending;

  return (
    <Card title={words.settings}>
      <EnvNotice fields={newest.fromEnv.fields} mayChange={mayChange} />
      {!mayChange && <Text>{words.readOnly}</Text>}
      <form onSubmit={submit}>
        <Stack gap="sm" maw="36rem">
          {isFromEnv('token') ? (
            <div>
              <Text fw={700} size="sm">
                {setup.token}
              </Text>
              <StateLabel tone="ok">{words.tokenInEnv}</StateLabel>
              {newest.token.set && <Text size="sm">{words.savedUnused}</Text>}
            </div>
          ) : (
            mayChange && (
              <SecretField
                label={setup.token}
                help={setup.tokenHelp}
                secret={{ ...newest.token, keyId: null }}
                typed={shown.token}
                error={typed !== '' && !isDiscordToken(typed) && setup.wrongToken}
                onChange={(token) => edit({ token })}
              />
            )
          )}
          <DiscordIdFields
            clientId={shown.clientId}
            guildId={shown.guildId}
            onClientId={(clientId) => edit({ clientId })}
            onGuildId={(guildId) => edit({ guildId })}
            isReadOnly={!mayChange || isBusy}
            fromEnv={(['clientId', 'guildId'] as const).filter(isFromEnv)}
          />
          {report && !isReportOver && (
            <DiscordResult report={report} onClientId={(clientId) => edit({ clientId })} />
          )}
          {test.error !== null && form.error === null && <Trouble error={test.error} />}
          {form.error !== null && <Trouble error={form.error} />}
          <FormConflict form={form} title={words.theirs}>
            {({ clientId, guildId }) => (
              <Text>
                {setup.clientId}: {clientId || words.none}
                <br />
                {setup.guildId}: {guildId || words.none}
              </Text>
            )}
          </FormConflict>
          {mayChange && (
            <Group gap="xs">
              <Button
                type="submit"
                loading={form.isSaving}
                disabled={!isWellFormed || draft === null || form.theirs !== null}
              >
                {isTestable ? words.testAndSave : words.save}
              </Button>
              {isTestable && (
                <Button
                  variant="default"
                  loading={test.isPending && !form.isSaving}
                  disabled={!isWellFormed || form.isSaving}
                  onClick={() => void ask().catch(() => undefined)}
                >
                  {setup.test}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  );
};
