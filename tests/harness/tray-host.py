#!/usr/bin/python3
"""A desktop environment for tests: a tray, which takes StatusNotifierItems on the session bus and reads and clicks their
menus, and a board for notifications.

Commands on stdin, one a line: `read`, `activate`, `click LABEL`, `notices`, `press TITLE` (a click on a notification). Answers on stdout, one JSON line each: {"event": "up"} at
first, then {"event": "item", "tooltip", "pixels", "menu": [{"label", "enabled", "checked"}]}, {"event": "none"} while
there is no icon, {"event": "done"}, or {"event": "failed", "reason"}. Needs Debian's python3-dbus and python3-gi.
"""
import hashlib
import json
import sys
import threading

import dbus
import dbus.service
from dbus.mainloop import NULL_MAIN_LOOP
from dbus.mainloop.glib import DBusGMainLoop, threads_init
from gi.repository import GLib

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"


def say(event, **more):
    print(json.dumps({"event": event, **more}), flush=True)


BOARD = "org.freedesktop.Notifications"


class Board(dbus.service.Object):
    """Notifications as a desktop environment shows them; all that came are kept, with what became of them."""

    def __init__(self, bus):
        self.name, self.all = dbus.service.BusName(BOARD, bus), []
        super().__init__(bus, "/org/freedesktop/Notifications")

    @dbus.service.method(BOARD, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body"]

    @dbus.service.method(BOARD, out_signature="ssss")
    def GetServerInformation(self):
        return ("tests", "tests", "1", "1.2")

    @dbus.service.method(BOARD, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, _app, _replaces, _icon, title, body, actions, _hints, _timeout):
        shown = {"title": str(title), "body": str(body), "open": True, "clickable": "default" in actions}
        self.all.append(shown)
        return dbus.UInt32(len(self.all))

    @dbus.service.method(BOARD, in_signature="u")
    def CloseNotification(self, number):
        self.all[number - 1]["open"] = False
        self.NotificationClosed(number, 3)

    @dbus.service.signal(BOARD, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.signal(BOARD, signature="us")
    def ActionInvoked(self, number, action):
        pass

    def tell(self):
        say("notices", notices=self.all)

    def press(self, title):
        number = next((at for at, shown in enumerate(self.all, 1) if shown["title"] == title and shown["open"]), None)
        if number is None:
            return say("failed", reason=f"there is no {title}")
        self.ActionInvoked(dbus.UInt32(number), "default")
        self.CloseNotification(dbus.UInt32(number))
        say("done")


class Host(dbus.service.Object):
    def __init__(self, bus):
        self.item = None
        # What is asked of the program is asked aside: it may ask something of us before it answers, such as to show a
        # notification, and each would wait for the other.
        self.bus = dbus.SessionBus(private=True, mainloop=NULL_MAIN_LOOP)
        self.name = dbus.service.BusName(WATCHER, bus)
        super().__init__(bus, "/StatusNotifierWatcher")

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        path = str(service)
        self.item = (str(sender), path) if path.startswith("/") else (path, "/StatusNotifierItem")
        self.StatusNotifierItemRegistered(service)

    @dbus.service.method(WATCHER, in_signature="s")
    def RegisterStatusNotifierHost(self, service):
        pass

    @dbus.service.signal(WATCHER, signature="s")
    def StatusNotifierItemRegistered(self, service):
        pass

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {
            "IsStatusNotifierHostRegistered": dbus.Boolean(True),
            "ProtocolVersion": dbus.Int32(0),
            "RegisteredStatusNotifierItems": dbus.Array([], signature="s"),
        }

    def proxy(self, path, interface):
        return dbus.Interface(self.bus.get_object(self.item[0], path, introspect=False), interface)

    def properties(self):
        return self.proxy(self.item[1], PROPERTIES).GetAll(ITEM)

    def menu(self, item):
        menu = self.proxy(str(item.get("Menu", "/MenuBar")), MENU)
        _, layout = menu.GetLayout(0, -1, dbus.Array([], signature="s"))
        return menu, [(int(entry[0]), entry[1]) for entry in layout[2]]

    def read(self):
        if self.item is None or not self.bus.name_has_owner(self.item[0]):
            return say("none")
        item = self.properties()
        entries = [
            {
                "label": label_of(about),
                "enabled": bool(about.get("enabled", True)),
                "checked": int(about["toggle-state"]) == 1 if "toggle-state" in about else None,
            }
            for _, about in self.menu(item)[1]
            if label_of(about)
        ]
        tooltip = item.get("ToolTip")
        icon = item.get("IconPixmap") or [(0, 0, b"")]
        pixels = hashlib.sha256(bytes(icon[0][2])).hexdigest()
        say("item", tooltip=str(tooltip[2]) if tooltip else "", pixels=pixels, menu=entries)

    def click(self, label):
        while True:
            menu, entries = self.menu(self.properties())
            number = next((number for number, about in entries if label_of(about) == label), None)
            if number is None:
                return say("failed", reason=f"the menu has no {label}")
            try:
                menu.Event(number, "clicked", dbus.String("", variant_level=1), dbus.UInt32(0))
                return say("done")
            except dbus.DBusException:
                # With another menu in its place, the one that was clicked is none any more, and nothing has heard of it.
                if any(number == left for left, _ in self.menu(self.properties())[1]):
                    raise

    def activate(self):
        self.proxy(self.item[1], ITEM).Activate(0, 0)
        say("done")


def label_of(about):
    return str(about.get("label", "")).replace("_", "")


def main():
    threads_init()
    DBusGMainLoop(set_as_default=True)
    host, board = Host(dbus.SessionBus()), Board(dbus.SessionBus())
    loop = GLib.MainLoop()

    def obey(source, _condition):
        line = source.readline()
        if not line:
            loop.quit()
            return False
        threading.Thread(target=carry_out, args=(line,), daemon=True).start()
        return True

    def carry_out(line):
        command, _, label = line.strip().partition(" ")
        try:
            {
                "read": host.read,
                "activate": host.activate,
                "click": lambda: host.click(label),
                "notices": board.tell,
                "press": lambda: board.press(label),
            }[command]()
        # Without an answer the test would wait for ever, such as for a click on an icon that is not there.
        except Exception as error:
            say("failed", reason=str(error))

    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, obey)
    say("up")
    loop.run()


main()
