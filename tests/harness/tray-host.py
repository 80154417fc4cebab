#!/usr/bin/python3
"""A system tray for tests: takes StatusNotifierItems on the session bus, and reads and clicks their menus.

Commands on stdin, one a line: `read`, `activate`, `click LABEL`. Answers on stdout, one JSON line each: {"event": "up"} at
first, then {"event": "item", "tooltip", "pixels", "menu": [{"label", "enabled", "checked"}]}, {"event": "none"} while
there is no icon, {"event": "done"}, or {"event": "failed", "reason"}. Needs Debian's python3-dbus and python3-gi.
"""
import hashlib
import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"


def say(event, **more):
    print(json.dumps({"event": event, **more}), flush=True)


class Host(dbus.service.Object):
    def __init__(self, bus):
        self.bus, self.item = bus, None
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

    def properties(self):
        owner, path = self.item
        return dbus.Interface(self.bus.get_object(owner, path), PROPERTIES).GetAll(ITEM)

    def menu(self, item):
        proxy = self.bus.get_object(self.item[0], str(item.get("Menu", "/MenuBar")))
        menu = dbus.Interface(proxy, MENU)
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
        menu, entries = self.menu(self.properties())
        number = next((number for number, about in entries if label_of(about) == label), None)
        if number is None:
            return say("failed", reason=f"the menu has no {label}")
        menu.Event(number, "clicked", dbus.String("", variant_level=1), dbus.UInt32(0))
        say("done")

    def activate(self):
        owner, path = self.item
        dbus.Interface(self.bus.get_object(owner, path), ITEM).Activate(0, 0)
        say("done")


def label_of(about):
    return str(about.get("label", "")).replace("_", "")


def main():
    DBusGMainLoop(set_as_default=True)
    host = Host(dbus.SessionBus())
    loop = GLib.MainLoop()

    def obey(source, _condition):
        line = source.readline()
        if not line:
            loop.quit()
            return False
        command, _, label = line.strip().partition(" ")
        try:
            {"read": host.read, "activate": host.activate, "click": lambda: host.click(label)}[command]()
        except dbus.DBusException as error:
            say("failed", reason=str(error))
        return True

    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, obey)
    say("up")
    loop.run()


main()
