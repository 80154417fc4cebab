import { Button, Text } from '@mantine/core';
import type { ComponentName } from '#contracts/operations/stack.ts';
import { callDesktop, desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { overviewWords } from './overview.words.ts';

export interface RestartablePart {
  readonly component: ComponentName;
  readonly label: string;
}

interface RestartButtonProps {
  readonly part: RestartablePart;
  readonly onAsk: (part: RestartablePart) => void;
}

/** Restarts a process of the stack; only the desktop can. */
export const RestartButton = ({ part, onAsk }: RestartButtonProps) => {
  const words = useWords(overviewWords);
  if (!desktopBridge()) return null;
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={words.restartPart(part.label)}
      onClick={() => onAsk(part)}
    >
      {words.restart}
    </Button>
  );
};

interface RestartQuestionProps {
  readonly part: RestartablePart;
  readonly onClose: () => void;
}

/** Separate from the line that asked: that line may disappear while the component restarts. */
export const RestartQuestion = ({ part: { component, label }, onClose }: RestartQuestionProps) => {
  const words = useWords(overviewWords);
  const restart = async () => {
    await callDesktop('stack.restart', { component });
    notifyDone(words.restarted(label));
  };
  return (
    <ConfirmAction
      title={words.restartQuestion(label)}
      act={words.restart}
      onAction={restart}
      onClose={onClose}
    >
      <Text>{words.restartText}</Text>
    </ConfirmAction>
  );
};
