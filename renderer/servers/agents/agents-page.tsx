import { useRoute } from 'wouter';
import { AgentPage } from './agent-page.tsx';
import { AgentsList } from './agents-list.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ serverId: string }>('/agents/:serverId');
  return isOne ? <AgentPage key={params.serverId} serverId={params.serverId} /> : <AgentsList />;
};
