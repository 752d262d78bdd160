// The settings window's page.

import "../lib/base.css";
