import { useRoute } from 'wouter';
import { OrderPage } from './order-page.tsx';
import { OrdersList } from './orders-list.tsx';

export const Page = () => {
  const [isOne, params] = useRoute<{ id: string }>('/orders/:id');
  return isOne ? <OrderPage key={params.id} id={params.id} /> : <OrdersList />;
};
