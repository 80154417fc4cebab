import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconRotateClockwise2 } from '@tabler/icons-react';
import { useState } from 'react';
import type { ComponentName } from '#contracts/stack.ts';
import { ConfirmAction } from '../../design/confirm-action.tsx';
import { notifyDone } from '../../design/notify.ts';
import { callDesktop, desktopBridge } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import { overviewWords } from './overview.words.ts';

export interface RestartPartProps {
  readonly component: ComponentName;
  readonly label: string;
}

/** Restarts a process of the stack; only the desktop can. */
export const RestartPart = ({ component, label }: RestartPartProps) => {
  const words = useWords(overviewWords);
  const [isAsking, setIsAsking] = useState(false);
  if (!desktopBridge()) return null;
  const restart = async () => {
    await callDesktop('stack.restart', { component });
    notifyDone(words.restarted(label));
  };
  return (
    <>
      <Tooltip label={words.restartPart(label)}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={words.restartPart(label)}
          onClick={() => setIsAsking(true)}
        >
          <IconRotateClockwise2 size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {isAsking && (
        <ConfirmAction
          title={words.restartQuestion(label)}
          act={words.restart}
          onAction={restart}
          onClose={() => setIsAsking(false)}
        >
          <Text>{words.restartText}</Text>
        </ConfirmAction>
      )}
    </>
  );
};
