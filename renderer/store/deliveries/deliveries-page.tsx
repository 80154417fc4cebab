import { useRoute } from 'wouter';
import { DeliveriesList } from './deliveries-list.tsx';
import { DeliveryPage } from './delivery-page.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/deliveries/:id');
  return isOne ? <DeliveryPage key={params.id} id={params.id} /> : <DeliveriesList />;
};
