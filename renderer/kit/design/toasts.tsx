import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Where short-lived notices are shown. */
export const Toasts = () => <Notifications position="bottom-right" />;
