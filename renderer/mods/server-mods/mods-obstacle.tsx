import { Alert, Code, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { ServerMods, ServerModsObstacle } from '#contracts/mods/mods.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { problemTexts } from '../../kit/language/problem-texts.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { modsWords } from './mods.words.ts';

/** Why no change can be started now, in a sentence; null: one can. */
export const useModsReason = (mods: Pick<ServerMods, 'obstacle' | 'job'>): string | null => {
  const words = useWords(modsWords);
  const language = useLanguage();
  if (mods.obstacle !== null) return problemTexts(mods.obstacle, language).meaning;
  return mods.job === null ? null : words.busy;
};

const agentObstacles: ReadonlySet<ServerModsObstacle> = new Set(['MODS_AGENT_AWAY', 'MODS_AGENT_TOO_OLD']);

/** The obstacle to any change of a server's mods, and what to do about it. */
export const ModsObstacle = (props: {
  readonly serverId: string;
  readonly code: ServerModsObstacle;
  readonly detail: string | null;
}) => {
  const { serverId, code, detail } = props;
  const words = useWords(modsWords);
  const can = useCan();
  const told = useTold();
  const { title, meaning, remedy } = problemTexts(code, useLanguage());
  return (
    <Alert color="var(--tone-warn)" variant="outline" title={title}>
      <Text size="sm">{meaning}</Text>
      {detail !== null && (
        <Text size="sm">
          <bdi>{told(detail)}</bdi>
        </Text>
      )}
      <Text size="sm">
        {/* Text between backticks is to be typed. */}
        {remedy.split('`').map((part, index) => {
          const Part = index % 2 === 1 ? Code : Fragment;
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
          return <Part key={index}>{part}</Part>;
        })}
      </Text>
      {agentObstacles.has(code) && can('agents.write', serverId) && (
        <PanelLink to={`/agents/${encodeURIComponent(serverId)}`} size="sm">
          {words.toAgent}
        </PanelLink>
      )}
    </Alert>
  );
};
