import { useRoute } from 'wouter';
import { QueuePage } from './queue-page.tsx';
import { QueuesList } from './queues-list.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ name: string }>('/queues/:name');
  return isOne ? <QueuePage key={params.name} name={params.name} /> : <QueuesList />;
};
