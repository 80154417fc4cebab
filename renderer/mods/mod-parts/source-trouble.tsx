import { Stack, Text } from '@mantine/core';
import type { ModSourceState } from '#contracts/mods/mods.ts';
import { ApiProblem } from '../../kit/api/api-problem.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { wordReason } from '../../kit/language/reasons.words.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { modPartsWords } from './mod-parts.words.ts';

/** What is not quite right with a source that did answer. */
export const SourceNote = ({ state: { state, againAt, why } }: { readonly state: ModSourceState }) => {
  const words = useWords(modPartsWords);
  const language = useLanguage();
  const format = useFormat();
  return (
    <Stack role="alert" gap={4} align="flex-start">
      <StateLabel tone="warn">{words.sourceState[state]}</StateLabel>
      {why !== undefined && <Text size="sm">{wordReason(why, language)}</Text>}
      {againAt !== null && <Text size="sm">{words.againAt(format.time(againAt))}</Text>}
      {(state === 'no-key' || state === 'key-refused') && (
        <PanelLink to="/settings/external-services" size="sm">
          {words.toKey}
        </PanelLink>
      )}
    </Stack>
  );
};

/** Why a source does not answer, and what to do: such a source is not the same as one without results. */
export const SourceTrouble = (props: {
  readonly error: unknown;
  readonly isRetried: boolean;
  readonly onRetry: () => void;
}) => {
  const { error, isRetried, onRetry } = props;
  const words = useWords(modPartsWords);
  const code = error instanceof ApiProblem ? error.code : undefined;
  const isKey = code === 'MOD_SOURCE_NO_KEY' || code === 'MOD_SOURCE_KEY_REFUSED';
  return (
    <Stack gap="xs">
      <Trouble error={error} {...(!isRetried && { onRetry })} />
      {isRetried && (
        <Text size="sm" c="dimmed">
          {words.retries}
        </Text>
      )}
      {isKey && (
        <PanelLink to="/settings/external-services" size="sm">
          {words.toKey}
        </PanelLink>
      )}
    </Stack>
  );
};
