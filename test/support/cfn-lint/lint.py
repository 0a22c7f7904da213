"""cfn-lint's command, for many templates at once.

The attributes of a template's resources are computed once per template instead of once per
reference (the largest template has a thousand): more than half of the time, same findings.
"""

import functools
import sys

from cfnlint.runner import main
from cfnlint.template import Template

Template.get_valid_getatts = functools.cache(Template.get_valid_getatts)  # type: ignore[method-assign]
sys.exit(main())
