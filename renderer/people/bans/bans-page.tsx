import { useRoute } from 'wouter';
import { BanPage } from './ban-page.tsx';
import { BansList } from './bans-list.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/bans/:id');
  return isOne ? <BanPage key={params.id} id={params.id} /> : <BansList />;
};
