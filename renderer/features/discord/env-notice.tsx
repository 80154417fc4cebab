import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { DiscordField } from '#contracts/bot.ts';
import { callDesktop, desktopBridge } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../../wizard/action-failed.tsx';
import { useDesktopAction } from '../../wizard/use-desktop-action.ts';
import { discordWords } from './discord.words.ts';

export interface EnvNoticeProps {
  readonly fields: readonly DiscordField[];
  readonly mayChange: boolean;
}

/** Says that `.env` takes precedence, and how to set the value in the panel instead. */
export const EnvNotice = ({ fields, mayChange }: EnvNoticeProps) => {
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
