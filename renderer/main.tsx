import './wire/without-eval.ts';
import './design/mantine-styles.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const place = document.getElementById('panel');
if (!place) throw new Error('index.html has no #panel');
createRoot(place).render(<App />);
