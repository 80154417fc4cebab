import { useRoute } from 'wouter';
import { PlayerPage } from './player-page.tsx';
import { PlayersList } from './players-list.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string; tab?: string }>('/players/:id/:tab?');
  return isOne ? <PlayerPage key={params.id} id={params.id} tab={params.tab ?? ''} /> : <PlayersList />;
};
