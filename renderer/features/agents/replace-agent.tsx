import { List, Text } from '@mantine/core';
import { type Agent, agentsHttp } from '#contracts/agents.ts';
import { ConfirmAction } from '../../design/confirm-action.tsx';
import { notifyDone } from '../../design/notify.ts';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { agentsWords } from './agents.words.ts';

export interface ReplaceAgentProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

export const ReplaceAgent = ({ agent: { serverId, serverName }, onClose }: ReplaceAgentProps) => {
  const words = useWords(agentsWords);
  const replace = useChange(agentsHttp.replace, [agentsHttp.list]);
  return (
    <ConfirmAction
      // The name may be in any script: isolated, it does not affect the order of the words around it.
      title={`${words.replaceQuestion} \u2068${serverName}\u2069?`}
      act={words.replace}
      onAction={async () => {
        await replace.mutateAsync({ params: { serverId } });
        notifyDone(words.replaced);
      }}
      onClose={onClose}
    >
      <Text mb="xs">{words.replaceText}</Text>
      <List>
        {words.replacePoints.split('\n').map((point) => (
          <List.Item key={point}>{point}</List.Item>
        ))}
      </List>
    </ConfirmAction>
  );
};
